"""Who does the tasks of a long command: this process, processes of this machine, or a Dask cluster."""
