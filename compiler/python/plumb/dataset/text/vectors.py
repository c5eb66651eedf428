"""Tables of word vectors in text files, and words to their vectors.

A line of a file is a word and its numbers, with one blank between each; fastText's and character n-grams' files may begin with a line
of two numbers, how many words and numbers there are.
"""

import numpy as np

from plumb.dataset._errors import Operation
from plumb.dataset.files import files_of
from plumb.dataset.text.transforms import strings_of


class Vectors:
    """Words with vectors of one length, of a file made by any tool: `Vectors.from_file(path)`."""

    def __init__(self, numbers):
        self.numbers = numbers
        self.dim = len(next(iter(numbers.values())))

    @classmethod
    def from_file(cls, file_path, max_vectors=None):
        """Reads a file.

        Args:
          file_path: the file.
          max_vectors: the most words that are read; None reads all.
        """
        if max_vectors is not None and (not isinstance(max_vectors, int) or max_vectors < 0):
            raise ValueError(f"Input max_vectors is not within the required interval of [0, 2147483647], but got {max_vectors}.")
        path = files_of(file_path)[0]
        cls._check_name(path)
        numbers = {}
        with open(path, encoding="utf-8") as file:
            for count, line in enumerate(file, 1):
                parts = line.rstrip("\n").rstrip(" ").split(" ")
                if count == 1 and len(parts) == 2 and all(part.isdigit() for part in parts):
                    continue
                if max_vectors and len(numbers) == max_vectors:
                    break
                vector = cls._vector(parts, path, count)
                if numbers and len(vector) != len(next(iter(numbers.values()))):
                    raise ValueError(f"{path}:{count}: {len(vector)} numbers, but the words before have {len(next(iter(numbers.values())))}.")
                numbers.setdefault(parts[0], vector)
        if not numbers:
            raise ValueError(f"'{path}' holds no word vectors.")
        return cls(numbers)

    @staticmethod
    def _check_name(path):
        """Raises ValueError where a name is none of this kind's files."""

    @staticmethod
    def _vector(parts, path, count):
        try:
            vector = np.asarray([float(part) for part in parts[1:]], np.float32)
        except ValueError:
            raise ValueError(f"{path}:{count} is no line of a word and numbers.") from None
        if not vector.size:
            raise ValueError(f"{path}:{count} is no line of a word and numbers.")
        return vector

    def vector(self, word):
        """A word's vector, or None."""
        return self.numbers.get(word)


class GloVe(Vectors):
    """GloVe's vectors: files named `glove.*.txt`."""

    @staticmethod
    def _check_name(path):
        name = path.replace("\\", "/").rsplit("/", 1)[-1]
        if not name.startswith("glove.") or not name.endswith(".txt"):
            raise ValueError(f"GloVe's files are named glove.*.txt, but got {name}.")


class FastText(Vectors):
    """fastText's vectors: files named `*.vec`."""

    @staticmethod
    def _check_name(path):
        if not path.endswith(".vec"):
            raise ValueError(f"fastText's files are named *.vec, but got {path}.")


class CharNGram(Vectors):
    """Vectors of character n-grams (Hashimoto et al. 2016): a word's is the mean of those of its n-grams of 2 to 4, edges marked."""

    def vector(self, word):
        letters = ["#BEGIN#", *word, "#END#"]
        grams = [f"{size}gram-" + "".join(letters[at:at + size]) for size in (2, 3, 4) for at in range(len(letters) - size + 1)]
        found = [self.numbers[gram] for gram in grams if gram in self.numbers]
        return np.mean(found, axis=0, dtype=np.float32) if found else None


class ToVectors(Operation):
    """A word to its vector, float32.

    Args:
      vectors: a Vectors, GloVe, FastText or CharNGram.
      unk_init: the vector of words that have none; zeros where None.
      lower_case_backup: whether a word in small letters stands for one that has no vector.
    """

    def __init__(self, vectors, unk_init=None, lower_case_backup=False):
        if not isinstance(vectors, Vectors):
            raise TypeError(f"Argument vectors is not of type Vectors, but {type(vectors).__name__}.")
        self.vectors, self.lower_case_backup = vectors, lower_case_backup
        self.unknown = np.zeros(vectors.dim, np.float32) if unk_init is None else np.asarray(unk_init, np.float32)
        if self.unknown.shape != (vectors.dim,):
            raise ValueError(f"For 'ToVectors', unk_init must have {vectors.dim} numbers, but got the shape {list(self.unknown.shape)}.")

    def __call__(self, value):
        words = strings_of(value)
        found = np.stack([self._vector(str(word)) for word in words.reshape(-1)])
        return found[0] if words.ndim == 0 else found.reshape(words.shape + (-1,))

    def _vector(self, word):
        found = self.vectors.vector(word.lower()) if self.lower_case_backup else self.vectors.vector(word)
        return self.unknown if found is None else found
