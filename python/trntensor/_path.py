"""Contraction paths in the form that opt_einsum gives them."""
from trntensor import _core


class PathInfo:
    """What ``contract_path`` found, with the names of opt_einsum; printing it shows the steps.

    Costs count, as opt_einsum's, one for each product and one more for each sum.

    >>> path, info = contract_path("ij,jk->ik", (2, 3), (3, 4), shapes=True)
    >>> info.eq, info.opt_cost, info.largest_intermediate
    ('ij,jk->ik', 48, 8)
    """

    plan: "ContractionPlan"
    eq: "str"
    path: "list[tuple[int, ...]]"
    indices: "set[str]"
    size_dict: "dict[str, int]"
    scale_list: "list[int]"
    size_list: "list[int]"
    cost_list: "list[int]"
    naive_cost: "int"
    opt_cost: "int"
    speedup: "float"
    largest_intermediate: "int"

    def __init__(self, plan):
        self.plan = plan
        self.eq = plan.subscripts
        terms, self.output_subscript = self.eq.split("->")
        self.input_subscripts = terms
        letters = _letters(plan)
        self.indices = set(letters)
        self.size_dict = dict(zip(letters, plan.extents))
        self.path = [tuple(pair) for pair in plan.contraction_path]
        self._replay(terms.split(","))
        self.naive_cost = _cost(self.indices, set(self.output_subscript), len(terms.split(",")), self.size_dict)
        self.opt_cost = sum(self.cost_list)
        self.speedup = _ratio(self.naive_cost, max(self.opt_cost, 1))
        self.largest_intermediate = max(self.size_list, default=1)

    def _replay(self, remaining):
        """Walks the steps as they run, and counts."""
        self.scale_list, self.size_list, self.cost_list, self.contraction_list = [], [], [], []
        for positions, step in zip(self.path, self.plan.steps):
            text = step["subscripts"]
            result = text.split("->")[1]
            labels = set(text) - set(",->")
            remaining = [term for k, term in enumerate(remaining) if k not in positions] + [result]
            self.scale_list.append(len(labels))
            self.size_list.append(_product(set(result), self.size_dict))
            self.cost_list.append(_cost(labels, set(result), len(positions), self.size_dict))
            left = remaining if len(remaining) <= 20 else None
            self.contraction_list.append((positions, labels - set(result), text, left, step["strategy"]))

    def __repr__(self):
        lines = [
            f"  Complete contraction:  {self.eq}",
            f"         Naive scaling:  {len(self.indices)}",
            f"     Optimized scaling:  {max(self.scale_list, default=0)}",
            f"      Naive FLOP count:  {_rounded(self.naive_cost)}",
            f"  Optimized FLOP count:  {_rounded(self.opt_cost)}",
            f"   Theoretical speedup:  {_rounded(self.speedup)}",
            f"  Largest intermediate:  {_rounded(self.largest_intermediate)} elements",
            "-" * 80,
            "{:>6} {:>11} {:>22} {:>37}".format("scaling", "BLAS", "current", "remaining"),
            "-" * 80,
        ]
        for scaling, (_, _, text, remaining, strategy) in zip(self.scale_list, self.contraction_list):
            left = "..." if remaining is None else f"{','.join(remaining)}->{self.output_subscript}"
            width = max(0, 56 - max(22, len(text)))
            lines.append(f"{scaling:>4} {_blas_name(strategy):>14} {text:>22}    {left:>{width}}")
        return "\n".join(lines)


def _blas_name(strategy):
    return {"matmul": "GEMM", "bmm": "BATCHED GEMM"}.get(strategy, "0")


def _letters(plan):
    """The letter of each label number, as the plan's text has them."""
    letters = [""] * len(plan.extents)
    for term, labels in zip(plan.subscripts.split("->")[0].split(","), plan.input_labels):
        for letter, label in zip(term, labels):
            letters[label] = letter
    return letters


def _ratio(a, b):
    """As a float; of numbers too large for one, infinity."""
    try:
        return a / b
    except OverflowError:
        return float("inf")


def _rounded(number):
    """Also of counts that are too large for a float."""
    try:
        return f"{number:.3e}"
    except OverflowError:
        import decimal  # seldom needed, slow to load

        return f"{decimal.Decimal(number):.3e}"


def _product(labels, sizes):
    size = 1
    for label in labels:
        size *= sizes[label]
    return size


def _cost(labels, kept, terms, sizes):
    """opt_einsum's count: one for each product of two terms, one for the sum if there is one, at every point."""
    return _product(labels, sizes) * (max(1, terms - 1) + bool(labels - kept))


def contract_path(subscripts, *operands, shapes=False, **options):
    """contract_path(subscripts: str, *operands: ArrayLike, shapes: bool = False, dtype: DTypeLike | None = None, precision: str = "fast", optimize: Optimize = True, memory_limit: int | str | None = None) -> tuple[list[tuple[int, ...]], PathInfo]

    The order in which ``einsum`` contracts, as pairs of positions in the current list, and its costs to print.

    With ``shapes=True`` operands are shapes. The path can be given to ``einsum(..., optimize=path)`` and to opt_einsum;
    a path of opt_einsum can be given here as ``optimize``. Raises as ``einsum`` does.

    >>> path, info = contract_path("ij,jk,kl->il", (2, 9), (9, 9), (9, 3), shapes=True)
    >>> path
    [(0, 1), (0, 1)]
    >>> print(info)  # doctest: +ELLIPSIS
      Complete contraction:  ij,jk,kl->il
             Naive scaling:  4
    ...
    """
    plan = _core.plan_contraction(subscripts, *operands, shapes=shapes, **options)
    info = PathInfo(plan)
    return info.path, info
