"""An ON-LSTM as its paper writes it (Shen et al. 2019, section 4): one text, one step, one unit at a time."""

import torch
from torch import Tensor

from gardenpath.models.trained.on_lstm.module import OrderedLayer, OrderedNeuronsLM


def cumax(scores: Tensor) -> list[Tensor]:
    """Section 4.1: the k-th is the sum of the first k + 1 of the softmax."""
    shares = torch.softmax(scores, dim=0)
    found, total = [], torch.zeros((), dtype=scores.dtype)
    for share in shares:
        total = total + share
        found.append(total)
    return found


def literal_cell(layer: OrderedLayer, x: Tensor, h: Tensor, c: Tensor) -> tuple[Tensor, Tensor, Tensor]:
    """One step: the new h and c, and the master forget gate of every chunk."""
    width, chunks = len(h), layer.chunks
    scores = layer.input.weight @ x + layer.input.bias + layer.recurrent.weight @ h
    output, forget, write, candidate = (scores[gate * width : (gate + 1) * width] for gate in range(4))
    master_forget = cumax(scores[4 * width : 4 * width + chunks])
    master_input = [1 - value for value in cumax(scores[4 * width + chunks :])]
    hidden, cell = [], []
    for unit in range(width):
        f, i = torch.sigmoid(forget[unit]), torch.sigmoid(write[unit])
        big_f, big_i = master_forget[unit % chunks], master_input[unit % chunks]
        overlap = big_f * big_i  # section 4.2, as the next three
        f_hat = f * overlap + (big_f - overlap)
        i_hat = i * overlap + (big_i - overlap)
        new = f_hat * c[unit] + i_hat * torch.tanh(candidate[unit])
        cell.append(new)
        hidden.append(torch.sigmoid(output[unit]) * torch.tanh(new))
    return torch.stack(hidden), torch.stack(cell), torch.stack(master_forget)


def literal_pass(module: OrderedNeuronsLM, ids: Tensor) -> tuple[Tensor, list[Tensor], list[list[Tensor]]]:
    """A text from a fresh start: outputs of the last layer, the last state of each layer, master forget gates."""
    sequence = [module.encoder.weight[number] for number in ids.tolist()]
    states, gates = [], []
    for layer in module.layers:
        assert isinstance(layer, OrderedLayer)
        h = c = module.encoder.weight.new_zeros(layer.recurrent.in_features)
        outputs, forgets = [], []
        for x in sequence:
            h, c, forget = literal_cell(layer, x, h, c)
            outputs.append(h)
            forgets.append(forget)
        sequence = outputs
        states.append(torch.cat([h, c]))
        gates.append(forgets)
    return torch.stack(sequence), states, gates
