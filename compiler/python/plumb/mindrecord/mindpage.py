"""MindPage: the rows of MindRecord files by the values of a field, page by page."""

import json

from plumb.mindrecord.filereader import open_shards


class MindPage:
    """Reads rows by the value of a field that the index has.

    Args:
      file_name: the path of a file, or a list of paths, as of FileReader.
      num_consumer: without effect: the caller's thread reads rows when it takes them.
    """

    def __init__(self, file_name, num_consumer=4):
        if isinstance(num_consumer, bool) or not isinstance(num_consumer, int) or num_consumer < 1:
            raise ValueError(f"num_consumer must be a positive int, but got {num_consumer!r}.")
        self._shards = open_shards(file_name)
        self._field = None

    @property
    def candidate_fields(self):
        """The fields that may be the category."""
        return self._shards[0].indexed_fields()

    def get_category_fields(self):
        """Returns the fields that may be the category."""
        return self.candidate_fields

    @property
    def category_field(self):
        """The field by whose values rows are read; None until it is set."""
        return self._field

    @category_field.setter
    def category_field(self, category_field):
        self.set_category_field(category_field)

    def set_category_field(self, category_field):
        """Sets the field by whose values rows are read; returns whether it is one of `candidate_fields`."""
        if category_field not in self.candidate_fields:
            raise ValueError(f"category_field must be one of {', '.join(self.candidate_fields)}, but got {category_field!r}.")
        self._field = category_field
        return True

    def _categories(self):
        """The number of rows by value of the field, by the values' order."""
        if self._field is None:
            raise RuntimeError("There is no category yet; set category_field first.")
        counts = {}
        for shard in self._shards:
            for value, count in shard.query(f"SELECT {self._field}_0, COUNT(*) FROM INDEXES GROUP BY {self._field}_0"):
                counts[value] = counts.get(value, 0) + count
        return dict(sorted(counts.items()))

    def read_category_info(self):
        """Returns JSON: {"key": the field, "categories": [{"count", "id", "name"} of each value]}."""
        found = [{"count": count, "id": at, "name": str(value)} for at, (value, count) in enumerate(self._categories().items())]
        return json.dumps({"categories": found, "key": f"{self._field}_0"}, separators=(",", ":"))

    def read_at_page_by_id(self, category_id, page, num_row):
        """Returns the rows of page `page` (from 0) of `num_row` rows each, of the value with the number `category_id`."""
        values = list(self._categories())
        if isinstance(category_id, bool) or not isinstance(category_id, int) or not 0 <= category_id < len(values):
            raise ValueError(f"category_id must be an int of 0 … {len(values) - 1}, but got {category_id!r}.")
        return self._page(values[category_id], page, num_row)

    def read_at_page_by_name(self, category_name, page, num_row):
        """Returns the rows of page `page` (from 0) of `num_row` rows each, of the value written as `category_name`."""
        values = {str(value): value for value in self._categories()}
        if category_name not in values:
            raise ValueError(f"There is no row whose {self._field} is {category_name!r}.")
        return self._page(values[category_name], page, num_row)

    def _page(self, value, page, num_row):
        if any(isinstance(number, bool) or not isinstance(number, int) for number in (page, num_row)) or page < 0 or num_row < 1:
            raise ValueError(f"page must be an int of at least 0 and num_row one of at least 1, but got {page!r} and {num_row!r}.")
        places = [(shard, number) for shard in self._shards for (number,) in shard.query(
            f"SELECT ROW_ID FROM INDEXES WHERE {self._field}_0 = ? ORDER BY ROW_ID", [value])]
        return [shard.row(number, list(shard.schema.fields)) for shard, number in places[page * num_row:(page + 1) * num_row]]
