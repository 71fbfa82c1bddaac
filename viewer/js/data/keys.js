// SPDX-License-Identifier: MIT
// What frames are added up by. Equal keys are one, as in lib/tree/keys.c.

/** By what, what of an instance makes the key, and what the row says. */
const KEY_PARTS = {
  instance: (i) => ({ name: i.name, module: i.module, package: i.package, file: i.file, line: i.line }),
  method: (i) => ({ name: i.methodName, module: i.module, package: i.package, file: i.file, line: i.line }),
  function: (i) => ({ name: i.functionName, module: i.module, package: i.package, file: "", line: 0 }),
  module: (i) => ({ name: i.module, module: i.module, package: i.package, file: "", line: 0 }),
  package: (i) => ({ name: i.package, module: "", package: i.package, file: "", line: 0 }),
  file: (i) => ({ name: i.file, module: "", package: "", file: i.file, line: 0 }),
};

export const KEY_KINDS = Object.keys(KEY_PARTS);

/** Numbers of keys, given in the order of asking. */
class KeyTable {
  constructor(by) {
    this.partsOf = KEY_PARTS[by];
    this.numbers = new Map();
    this.keys = [];
  }

  find(instance, number) {
    const key = this.partsOf(instance);
    const text = `${key.module}\0${key.name}\0${key.file}\0${key.line}`;
    let at = this.numbers.get(text);
    if (at === undefined) {
      at = this.keys.length;
      this.numbers.set(text, at);
      key.instance = number;
      key.label = key.name || "(none)";
      this.keys.push(key);
    }
    return at;
  }
}

/**
 * {by, keys: [{name, module, package, file, line, instance}], ofInstance, ofBase}: `instance` is one that has the key, -1 where only
 * the base has it; ofBase by instance of the base, if there is one.
 */
export function makeKeys(profile, by, base) {
  const table = new KeyTable(by);
  const ofInstance = Uint32Array.from(profile.instances, (instance, number) => table.find(instance, number));
  const ofBase =
    base &&
    Uint32Array.from(base.instances, ({ instance, number, matches }) => {
      const match = number >= 0 ? number : by in matches ? matches[by] : -1;
      return match >= 0 ? ofInstance[match] : table.find(instance, -1);
    });
  return { by, keys: table.keys, ofInstance, ofBase };
}
