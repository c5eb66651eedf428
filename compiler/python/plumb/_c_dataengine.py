"""`mindspore._c_dataengine`: the operations on rows that operations of users name in `parse`."""

from plumb.common._offers import not_offered
from plumb.dataset.text.tokenizers import BasicTokenizer as BasicTokenizerOperation  # pylint: disable=unused-import
from plumb.dataset.text.transforms import Lookup as LookupOperation  # pylint: disable=unused-import
from plumb.dataset.text.utils import Vocab  # pylint: disable=unused-import

__getattr__ = not_offered(__name__)
