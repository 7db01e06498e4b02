"""What the commands share: arguments, deals read and files written, progress, the terminal."""
