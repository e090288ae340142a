"""What every program does alike at the console.

program  the two long-running programs: --help, options, the secret, exit codes
shell    commands that a person types: output, errors, exit codes
table    what was found, as a table for people

Invariant: what goes wrong is one line on the standard error, never a trace. Code 2: the user can mend it; 1:
something broke.
"""
