// SPDX-License-Identifier: MIT
// From the text in the page to numbers: base64, deflate, LEB128. lib/export/packedtext.c and export_html.c are the other side.

function bytesOfBase64(text) {
  if (Uint8Array.fromBase64) {
    return Uint8Array.fromBase64(text);
  }
  const binary = atob(text);
  const bytes = new Uint8Array(binary.length);
  for (let i = 0; i < binary.length; i++) {
    bytes[i] = binary.charCodeAt(i);
  }
  return bytes;
}

/** The bytes of packed text. */
export async function unpack(text) {
  const stream = new DecompressionStream("deflate-raw");
  const writer = stream.writable.getWriter();
  writer.write(bytesOfBase64(text));
  writer.close();
  return new Uint8Array(await new Response(stream.readable).arrayBuffer());
}

export async function unpackJson(text) {
  return JSON.parse(new TextDecoder().decode(await unpack(text)));
}

/** A position in bytes. Numbers beyond 2^53 lose their last digits; none of a recording is. */
export class Cursor {
  constructor(bytes, at = 0) {
    this.bytes = bytes;
    this.at = at;
  }

  next() {
    let byte = this.bytes[this.at++];
    if (byte < 128) {
      return byte;
    }
    let value = byte & 127;
    let factor = 128;
    do {
      byte = this.bytes[this.at++];
      value += (byte & 127) * factor;
      factor *= 128;
    } while (byte >= 128);
    return value;
  }

  nextSigned() {
    const coded = this.next();
    return coded % 2 === 0 ? coded / 2 : -(coded + 1) / 2;
  }
}
