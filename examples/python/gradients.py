"""torch records gradients through trntensor: fit a low-rank matrix. Ends with 77 where torch is not installed."""
import sys

try:
    import torch
except ImportError:
    print("torch is not installed")
    sys.exit(77)
import trntensor

torch.manual_seed(0)
target = trntensor.einsum("ir,jr->ij", torch.randn(8, 2), torch.randn(6, 2))
left = torch.randn(8, 2, requires_grad=True)
right = torch.randn(6, 2, requires_grad=True)
optimizer = torch.optim.Adam([left, right], lr=0.05)

for _ in range(600):
    optimizer.zero_grad()
    error = trntensor.einsum("ir,jr->ij", left, right) - target
    loss = trntensor.einsum("ij,ij->", error, error)
    loss.backward()
    optimizer.step()

print("squared error:", loss.item())
assert loss.item() < 1e-3
