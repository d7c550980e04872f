"""How a scenario is played: pytest-bdd executes its steps, the plugin turns how it ended into a verdict."""
