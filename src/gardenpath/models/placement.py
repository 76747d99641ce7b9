"""Where a model computes, and in which precision: the one place that knows devices."""

import os
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal

from gardenpath.errors import InputError
from gardenpath.io.messages import first_line

if TYPE_CHECKING:  # it takes seconds to import, and the specification of a run needs only the names of this module
    import torch

Dtype = Literal["float32", "bfloat16", "float16"]
SPLIT = "split"
"""The device of a model whose layers are shared among all GPUs and, where these are full, the memory of the CPU."""
PARALLEL = "parallel"
"""The device of a model whose matrices are shared among the processes that torchrun has started."""
SHARE_OF_FREE_MEMORY = 0.25
"""Of a GPU's free memory, what the rows of one read may take."""
MOST_ROWS = 2048
"""No part of a tree has many more (`scoring.score.NODES_PACKED`)."""


@dataclass(frozen=True, slots=True)
class Placement:
    """Where a pretrained model computes, and in which precision its weights are."""

    device: str = "auto"
    """`auto`, `cpu`, `cuda`, `cuda:1` …, `split` or `parallel`."""
    dtype: Dtype = "float32"

    @property
    def is_shared(self) -> bool:
        """Whether the library puts each part of a network on a device of its own."""
        return self.device in (SPLIT, PARALLEL)

    @property
    def is_exact(self) -> bool:
        """Whether weights are in float32 on the CPU, as our own reader of Llamas and its remembered checks need it."""
        return self.dtype == "float32" and not self.is_shared and choose_device(self.device).type == "cpu"

    def loading_settings(self, *, quantised: bool = False) -> dict[str, Any]:
        """Return the arguments of transformers' `from_pretrained`; quantised weights cannot be moved later."""
        import torch

        settings: dict[str, Any] = {"dtype": getattr(torch, self.dtype)}
        if self.device == SPLIT:
            return settings | {"device_map": "auto"}
        if self.device == PARALLEL:
            return settings | {"distributed_config": share_among_processes()}
        return settings | {"device_map": {"": choose_device(self.device)}} if quantised else settings

    def place(self, network: Any) -> Any:
        """Move a network to its device; one that is shared or quantised is there already."""
        return network if self.is_shared or quantisation_of(network) else network.to(choose_device(self.device))


ON_THIS_MACHINE = Placement()
"""A GPU if there is one, else the CPU, in float32."""


def share_among_processes() -> Any:
    """Return the library's settings for matrices that are shared among the processes of torchrun."""
    from transformers.distributed import DistributedConfig

    processes = int(os.environ.get("WORLD_SIZE", "1"))
    if processes == 1:
        raise InputError(
            "the device parallel shares a model among processes, and this is the only one; start a script that calls "
            "gardenpath.score with torchrun --nproc-per-node N, or use --device split"
        )
    return DistributedConfig(tp_size=processes)


def threads_in_use() -> int:
    """Return on how many threads products are computed: their last digits depend on it."""
    return sys.modules["torch"].get_num_threads() if "torch" in sys.modules else 1


def choose_device(name: str) -> "torch.device":
    """Return a device; `auto`: a GPU if there is one (with torchrun, the one of this process), else the CPU."""
    import torch

    if name == "auto":
        found = torch.cuda.is_available()
        return torch.device("cuda", int(os.environ.get("LOCAL_RANK", "0"))) if found else torch.device("cpu")
    try:
        device = torch.device(name)
        torch.zeros(1, device=device).cpu()
    # torch has no error of its own for a name it does not know, or for a device it was not built for.
    except (RuntimeError, AssertionError, NotImplementedError) as error:
        known = available_devices()
        if name in known:
            raise InputError(f"the device {name} cannot be used: {first_line(error)}") from error
        raise InputError(
            f"the device {name} cannot be used: this machine has {', '.join(known)}; give one of these, or auto"
        ) from error
    return device


def available_devices() -> list[str]:
    """Return the names of the devices of this machine."""
    import torch

    gpus = [f"cuda:{number}" for number in range(torch.cuda.device_count())] if torch.cuda.is_available() else []
    return ["cpu", *gpus, *(["mps"] if torch.backends.mps.is_available() else [])]


def input_device(network: Any) -> "torch.device":
    """Return the device that a network reads its input on; parts that are kept elsewhere until used are on `meta`."""
    devices: list[torch.device] = [weight.device for weight in network.parameters()]
    return next((device for device in devices if device.type != "meta"), devices[0])


def stored_weights(network: Any) -> "Iterator[tuple[str, torch.Tensor]]":
    """Yield all weights in the order of their names; of quantised ones, the numbers that are stored."""
    state = network.state_dict()
    for name in sorted(state):
        owner, _, own_name = name.rpartition(".")
        if quantisation_of(network):
            yield from stored_parts(name, state[name])
        else:
            yield name, stored_weight(network.get_submodule(owner), own_name)


def stored_parts(name: str, weight: Any) -> "Iterator[tuple[str, torch.Tensor]]":
    """Yield the plain tensors that a quantised weight consists of, such as integers and their scales."""
    if not hasattr(weight, "__tensor_flatten__"):
        yield name, weight.detach()
        return
    for part in weight.__tensor_flatten__()[0]:
        yield from stored_parts(f"{name}.{part}", getattr(weight, part))


def quantisation_of(network: Any) -> str | None:
    """Return the method by which the weights of a network are quantised; None: they are not."""
    settings = getattr(getattr(network, "config", None), "quantization_config", None)
    if settings is None:
        return None
    method = settings.get("quant_method") if isinstance(settings, dict) else settings.quant_method
    return str(getattr(method, "value", method))


def stored_weight(module: Any, name: str) -> "torch.Tensor":
    """Return a weight, also one of a split model that waits in other memory until its module is used."""
    weight: torch.Tensor = getattr(module, name).detach()
    if weight.device.type == "meta" and hasattr(module, "_hf_hook"):
        from accelerate.utils.modeling import align_module_device  # type: ignore[import-untyped]  # it has no types

        with align_module_device(module, "cpu"):
            weight = getattr(module, name).detach()
    # Every process has all of a shared weight only here.
    return weight.full_tensor() if hasattr(weight, "full_tensor") else weight


def rows_that_fit(device: "torch.device", bytes_per_row: int, *, on_cpu: int) -> int:
    """Return how many rows to read together: on a GPU as many as its free memory holds, on a CPU a fixed number."""
    if device.type != "cuda":
        return on_cpu
    import torch

    free, _ = torch.cuda.mem_get_info(device)
    # What earlier reads took and gave back is kept by torch for the next ones.
    free += torch.cuda.memory_reserved(device) - torch.cuda.memory_allocated(device)
    return max(1, min(MOST_ROWS, int(free * SHARE_OF_FREE_MEMORY) // bytes_per_row))


def is_out_of_memory(error: BaseException) -> bool:
    """Tell whether an error of numpy or torch says that memory does not suffice."""
    named = type(error).__name__ == "OutOfMemoryError"
    return named or isinstance(error, MemoryError) or "can't allocate memory" in str(error)


def free_memory() -> None:
    """Give back what torch keeps of a GPU's memory for later reads."""
    if "torch" in sys.modules:
        sys.modules["torch"].cuda.empty_cache()
