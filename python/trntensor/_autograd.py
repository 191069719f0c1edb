"""Gradients of torch tensors: the derivative of a contraction is contractions again.

Imported when the first tensor that requires gradients arrives, and so after torch.
"""
import torch
from torch.utils.dlpack import from_dlpack

from trntensor import _core


def einsum(arguments, keywords):
    """einsum(*arguments, **keywords) with at least one operand that requires gradients."""
    if keywords.get("out") is not None:
        raise RuntimeError(
            "einsum writes to out, and an operand requires gradients, which are not recorded for that\n"
            "fix: leave out out, or call within torch.no_grad()"
        )
    operands, call = _split(arguments, keywords)
    plan_keywords = {k: v for k, v in keywords.items() if k not in ("out", "alpha", "beta", "seed", "num_threads")}
    labels = _Labels(_core.plan_contraction(*call(operands), **plan_keywords))
    tensors = [_as_tensor(operand) for operand in operands]
    return _Contraction.apply(lambda given: _core.einsum(*call(given), **keywords), labels, keywords, *tensors)


def _split(arguments, keywords):
    """The operands, and what puts others in their place."""
    first = arguments[0]
    if not isinstance(first, str):
        count = len(arguments) // 2
        lists, output = arguments[1 : 2 * count : 2], arguments[2 * count :]
        return arguments[0 : 2 * count : 2], lambda given: (
            *(part for pair in zip(given, lists) for part in pair),
            *output,
        )
    operands = arguments[1:]
    if len(operands) == 1 and isinstance(operands[0], (list, tuple)):
        operands = tuple(operands[0])
    return operands, lambda given: (first, *given)


def _as_tensor(operand):
    """torch records tensors only; others are constants, which stay as they are."""
    return operand if isinstance(operand, torch.Tensor) else _Constant(operand)


class _Constant:
    """An operand that is no tensor."""

    def __init__(self, value):
        self.value = value


class _Labels:
    """What the derivative needs of a plan."""

    def __init__(self, plan):
        self.inputs, self.output, self.extents = plan.input_labels, plan.output_labels, plan.extents
        self.shapes, self.precision = plan.input_shapes, plan.precision


class _Contraction(torch.autograd.Function):
    @staticmethod
    def forward(ctx, run, labels, keywords, *operands):
        ctx.labels, ctx.keywords = labels, keywords
        ctx.constants = [None if isinstance(o, torch.Tensor) else o.value for o in operands]
        ctx.save_for_backward(*(o for o in operands if isinstance(o, torch.Tensor)))
        return run([o if isinstance(o, torch.Tensor) else o.value for o in operands])

    @staticmethod
    def backward(ctx, grad):
        saved = iter(ctx.saved_tensors)
        operands = [next(saved) if constant is None else constant for constant in ctx.constants]
        grads = [None, None, None]
        for k, needed in enumerate(ctx.needs_input_grad[3:]):
            grads.append(_derivative(k, grad, operands, ctx.labels, ctx.keywords) if needed else None)
        return tuple(grads)


def _derivative(k, grad, operands, labels, keywords):
    """The gradient with respect to operand k: the contraction of grad with the conjugates of all others."""
    operand, axes, shape = operands[k], labels.inputs[k], labels.shapes[k]
    own = [label for label, extent in zip(axes, shape) if extent == labels.extents[label]]
    own = list(dict.fromkeys(own))  # a diagonal is one label
    arguments, found = [grad, labels.output], set(labels.output)
    for place, (other, other_axes, other_shape) in enumerate(zip(operands, labels.inputs, labels.shapes)):
        if place == k:
            continue
        arguments += [_conjugate(other), other_axes]
        found.update(lab for lab, extent in zip(other_axes, other_shape) if extent == labels.extents[lab])
    kept = [label for label in own if label in found]
    options = {key: keywords[key] for key in ("num_threads", "seed") if key in keywords}
    alpha = _conjugate_number(keywords.get("alpha"), grad)
    result = _core.einsum(*arguments, kept, alpha=alpha, precision=labels.precision, **options)
    return _like(_spread(result, kept, own, axes, shape, labels.extents), operand)


def _conjugate(operand):
    """The operand, if it is not complex; else the conjugate, as a tensor or a Python number."""
    if isinstance(operand, torch.Tensor):
        return operand.conj() if operand.is_complex() else operand
    if type(operand) in (bool, int, float):
        return operand
    if type(operand) is complex:
        return operand.conjugate()
    values = _core.Tensor(operand)
    return from_dlpack(values.__dlpack__()).conj() if values.dtype.startswith("complex") else operand


def _conjugate_number(alpha, grad):
    alpha = 1.0 if alpha is None else complex(alpha)
    return alpha.conjugate() if grad.is_complex() else alpha.real


def _spread(result, kept, own, axes, shape, extents):
    """From the labels that the others have to the axes of the operand: what was summed alone is repeated, diagonals
    are embedded, axes that were broadcast have extent 1 again."""
    for place, label in enumerate(own):
        if label not in kept:
            result = result.unsqueeze(place)
    result = result.expand([extents[label] for label in own])
    current = list(own)
    target = []  # axes that are not broadcast
    for label, extent in zip(axes, shape):
        if extent == extents[label]:
            target.append(label)
    for label in own:
        for _ in range(target.count(label) - 1):
            place = current.index(label)
            result = torch.diag_embed(result.movedim(place, -1))
            current = current[:place] + current[place + 1 :] + [label, label]
    order = []
    for label in target:
        order.append(next(i for i, other in enumerate(current) if other == label and i not in order))
    return result.permute(order).reshape(shape)


def _like(grad, operand):
    """Of the operand's type: torch's gradients of real tensors are real."""
    if grad.is_complex() and not operand.is_complex():
        grad = grad.real
    return grad.to(operand.dtype)
