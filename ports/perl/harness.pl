#!/usr/bin/env perl
# A harness and a toy ReAct in core Perl, written from docs/PROTOCOL.md alone:
#     react-tck run -- perl ports/perl/harness.pl
use strict;
use warnings;
use HTTP::Tiny;
use JSON::PP;

my $json = JSON::PP->new->utf8->canonical->allow_nonref->allow_bignum;
# For JSON inside of a text, which is encoded with it.
my $text = JSON::PP->new->canonical->allow_nonref->allow_bignum;
# Shorter than the kit waits for a call, so that an LM that never answers is this program's error.
my $http = HTTP::Tiny->new(timeout => 10);
my %instance;
my %answer = (initialize => \&initialize, construct => \&construct, call => \&call);

$| = 1;
while (my $line = <STDIN>) {
    my $request = $json->decode($line);
    my $reply = eval { { result => $answer{ $request->{method} }->($request->{params}) } }
        || { error => { code => -32001, message => "$@" } };
    print $json->encode({ jsonrpc => '2.0', id => $request->{id}, %$reply }), "\n";
}

sub initialize {
    return {
        name => 'perl-toy', version => '1', language => 'perl', dialects => ['json'], default_dialect => 'json',
        capabilities => [qw(arrow-signature typed-fields call-max-steps trajectory extraction step-signature)],
        default_max_steps => 10, choices => {
            extraction => 'predict', 'unknown-tool' => 'observe and continue', 'tool-name-matching' => 'exact',
            'malformed-args' => 'observe, or error', 'args-notation' => 'JSON only', 'empty-args' => 'observe',
            'schema-mismatch' => 'passed as given', 'repeated-field' => 'last', 'cut-off-answer' => 'returned',
            'malformed-reply' => 'retries 0, then error, or retries 0, then observe', 'lm-fault' => 'error',
            'tool-error' => 'observe', 'steps-exhausted' => 'extract', 'trajectory-format' => 'list',
            'max-steps-zero' => 'extract at once', 'finish-recorded' => 'no',
        },
    };
}

sub construct {
    my ($case) = @_;
    die "the signature has no output fields\n" unless @{ $case->{signature}{outputs} };
    refuse_twice('field', (map { $_->{name} } map { @{ $case->{signature}{$_} } } qw(inputs outputs)), 'trajectory');
    refuse_twice('tool', (map { $_->{name} } @{ $case->{tools} }), 'finish');
    %instance = (1 => $case);
    return { instance => '1' };
}

sub refuse_twice {
    my ($kind, @names) = @_;
    my %seen;
    $seen{$_}++ and die "two ${kind}s are called '$_'\n" for @names;
}

sub call {
    my ($params) = @_;
    my $case    = $instance{ $params->{instance} };
    my $outcome = eval { react($case, $params) };
    return $outcome || { status => 'error', error => { type => 'die', message => "$@" } };
}

sub react {
    my ($case, $params) = @_;
    my %inputs = map { $_->{name} => 1 } @{ $case->{signature}{inputs} };
    exists $params->{inputs}{$_} or die "missing input '$_'\n" for sort keys %inputs;
    $inputs{$_} or die "unknown input '$_'\n" for sort keys %{ $params->{inputs} };
    my $steps = $params->{max_steps} // $case->{options}{max_steps} // 10;
    my (@trajectory, %names);
    $names{ $_->{name} } = 1 for @{ $case->{tools} };
    for (1 .. $steps) {
        my $step = ask($case, $params, \@trajectory, qw(next_thought next_tool_name next_tool_args));
        defined $step->{$_} && !ref $step->{$_} or die "$_ is no text\n" for qw(next_thought next_tool_name);
        last if $step->{next_tool_name} eq 'finish';
        push @trajectory, { %$step, observation => run($case, \%names, $step) };
    }
    my @outputs = map { $_->{name} } @{ $case->{signature}{outputs} };
    my $answer  = ask($case, $params, \@trajectory, @outputs);
    my %outputs = map { exists $answer->{$_} ? ($_ => $answer->{$_}) : die "no output '$_'\n" } @outputs;
    return { status => 'ok', outputs => \%outputs, trajectory => \@trajectory, trajectory_format => 'list' };
}

sub run {
    my ($case, $names, $step) = @_;
    my $name = $step->{next_tool_name};
    return "Error: there is no tool '$name'" unless $names->{$name};
    return "Error: the args of $name are no JSON object" unless ref $step->{next_tool_args} eq 'HASH';
    my $reply = post("$case->{tools_url}/$name", $step->{next_tool_args});
    return exists $reply->{error} ? "Error executing $name: $reply->{error}" : $reply->{result};
}

sub ask {
    my ($case, $params, $trajectory, @fields) = @_;
    my $number = 0;
    my $system = "Your output fields are:\n" . join('', map { ++$number . ". `$_`\n" } @fields);
    if ($fields[1] && $fields[1] eq 'next_tool_name') {
        my $choices = join ', ', (map { $_->{name} } @{ $case->{tools} }), 'finish';
        $system .= "\nnext_tool_name is one of: $choices. next_tool_args must be a valid JSON object.\nTools:\n";
        $system .= $text->encode($_) . "\n" for @{ $case->{tools} };
    }
    $system .= $case->{signature}{instructions};
    my $user = $text->encode({ %{ $params->{inputs} }, trajectory => $trajectory });
    my @messages = ({ role => 'system', content => $system }, { role => 'user', content => $user });
    my $reply = post("$case->{lm}{base_url}/chat/completions", { model => $case->{lm}{model}, messages => \@messages },
        "Bearer $case->{lm}{api_key}");
    die "LM: $reply->{error}{message}\n" if $reply->{error};
    my $said = $text->decode($reply->{choices}[0]{message}{content} // die "LM: no answer\n");
    ref $said eq 'HASH' or die "LM: no JSON object\n";
    exists $said->{$_} or die "LM: no field '$_'\n" for @fields;
    return $said;
}

sub post {
    my ($url, $body, $authorization) = @_;
    my %headers = ('Content-Type' => 'application/json', Authorization => $authorization // '');
    return $json->decode($http->post($url, { content => $json->encode($body), headers => \%headers })->{content});
}
