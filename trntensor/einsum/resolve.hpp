// Notation + shapes -> Spec.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "trntensor/einsum/label_table.hpp"
#include "trntensor/einsum/notation.hpp"
#include "trntensor/einsum/spec.hpp"

namespace trntensor::notation {

/// Gives the notation its meaning for these shapes. Throws InvalidArgument pointing at the culprit.
Spec resolve(const Notation& notation, std::span<const Shape> shapes);

/// The labels of a contraction, dense from 0 in order of first use along the operands' axes.
struct Numbering {
  LabelTable table;
  std::vector<std::int64_t> ids;  ///< per label: its id, or kEllipsis for an axis of the ellipsis
  std::vector<int> uses;          ///< per label: how many axes carry it
  std::vector<Label> ellipsis;    ///< per axis of the longest ellipsis, left to right
};

/// Number of axes of the longest ellipsis. Throws when terms and operands, or a term and its operand's axes, do not
/// match in number, and for negative extents.
std::size_t check_ranks(const Notation& notation, std::span<const Shape> shapes);

/// Sets spec.axes and spec.names.
Numbering number_axes(const Notation& notation, std::span<const Shape> shapes, std::size_t ellipsis_rank, Spec& spec);

/// Sets spec.output from the output term, or from the labels used once. Throws for a repeated or unknown label.
void set_output(const Notation& notation, const Numbering& numbering, Spec& spec);

/// Sets spec.extents, spec.broadcast and spec.inputs. Throws for a label with two extents.
void set_extents(const Notation& notation, std::span<const Shape> shapes, Spec& spec);

/// A label as a message mentions it: "label 'i'", "label 17", "axis 0 of the ellipsis".
std::string mention(const Notation& notation, const std::string& label_name);

}  // namespace trntensor::notation
