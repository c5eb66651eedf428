"""`mindspore.dataset.utils`: lines of files by their number."""

import os

from plumb.common._offers import not_offered

__getattr__ = not_offered(__name__, instead={
    "imshow_det_bbox": "draw boxes by a package for pictures, such as PIL.ImageDraw: results are arrays"})


class LineReader:
    """Lines of a text file by their number, which is 1 for the first: the places of all are read at once.

    Args:
      filename: the file.

    Raises:
      TypeError: if `filename` is no string.
      RuntimeError: if there is no such file.
    """

    def __init__(self, filename):
        if not isinstance(filename, str):
            raise TypeError(f"For 'LineReader', the 'filename' must be a string, but got {type(filename).__name__}.")
        self.filename = os.path.realpath(filename)
        if not os.path.isfile(self.filename):
            raise RuntimeError(f"The input file [{filename}] does not exist, or is not a regular file.")
        self._ends, self._file = [0], None  # of the lines in bytes; before the first ends none
        with open(self.filename, "rb") as file:
            for line in file:
                self._ends.append(self._ends[-1] + len(line))

    def __getitem__(self, line):
        return self.readline(line)

    def __len__(self):
        return len(self._ends) - 1

    def __iter__(self):
        return (self.readline(line) for line in range(1, len(self) + 1))

    def __getstate__(self):
        return self.__dict__ | {"_file": None}

    def len(self):
        """The number of lines."""
        return len(self._ends) - 1

    def readline(self, line):
        """The line of a number, without what ends it; raises TypeError for no int, ValueError where there is no such line."""
        if isinstance(line, bool) or not isinstance(line, int):
            raise TypeError(f"For 'readline', the 'line' must be an int, but got {type(line).__name__}.")
        if not 1 <= line <= len(self):
            raise ValueError(f"For 'readline', the 'line' must be between 1 and {len(self)}, but got {line}.")
        file = self._file  # by a name of its own: another thread may close the attribute's
        if file is None:
            file = self._file = open(self.filename, "rb")  # pylint: disable=consider-using-with
        start, end = self._ends[line - 1:line + 1]
        # Threads and processes share the file's position, so that it is not used.
        return os.pread(file.fileno(), end - start, start).decode("utf-8").rstrip("\r\n")

    def close(self):
        """Closes the file; a line that is read later opens it again."""
        if self._file is not None:
            self._file.close()
            self._file = None

    def __del__(self):
        if getattr(self, "_file", None) is not None:
            self._file.close()
