"""Reads sounds: WAV files and NIST SPHERE files of 16-bit samples.

SPHERE's head is text: "NIST_1A", its size, lines "name -type value", "end_head". Source: NIST, SPHERE 2.6, doc/header.txt.
"""

import wave

import numpy as np

_SCALE = np.float32(32767)


def read_wav(path):
    """(waveform, sample rate) of a WAV file: float32 [1, samples of all channels in turn], and an int."""
    try:
        with wave.open(path, "rb") as file:
            if file.getsampwidth() != 2:
                raise ValueError(f"'{path}' has samples of {8 * file.getsampwidth()} bits; 16 are offered.")
            content = file.readframes(file.getnframes())
            if len(content) != file.getnframes() * file.getnchannels() * 2:
                raise ValueError(f"'{path}' ends within its samples.")
            return _waveform(np.frombuffer(content, "<i2")), file.getframerate()
    except FileNotFoundError:
        raise ValueError(f"The file {path} does not exist.") from None
    except (wave.Error, EOFError) as problem:
        raise ValueError(f"'{path}' is no WAV file of 16-bit samples: {problem or 'it ends within its head'}.") from None


def read_sphere(path):
    """(waveform, sample rate) of a SPHERE file of one channel, as of `read_wav`."""
    with open(path, "rb") as file:
        content = file.read()
    head = content[:1024].split(b"end_head")[0].decode("latin-1").split("\n")
    if head[0].strip() != "NIST_1A" or len(head) < 2 or not head[1].strip().isdecimal():
        raise ValueError(f"'{path}' is no SPHERE file: its head is another one.")
    told = {words[0]: words[2] for words in (line.split() for line in head[2:]) if len(words) > 2}
    expected = {"channel_count": "1", "sample_n_bytes": "2", "sample_coding": "pcm"}
    other = [f"{name} {told[name]}" for name, value in expected.items() if told.get(name, value) != value]
    if other or told.get("sample_byte_format") not in ("01", "10") or not told.get("sample_rate", "").isdecimal():
        raise ValueError(f"'{path}' should be a SPHERE file of one channel of 16-bit samples, pcm, with its rate"
                         f"{': it has ' + ', '.join(other) if other else ''}.")
    samples = content[int(head[1]):]
    samples = samples[:len(samples) // 2 * 2]
    return _waveform(np.frombuffer(samples, "<i2" if told["sample_byte_format"] == "01" else ">i2")), int(told["sample_rate"])


def _waveform(samples):
    return (samples.astype(np.float32) / _SCALE)[np.newaxis]
