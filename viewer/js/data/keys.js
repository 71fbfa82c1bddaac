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

/** {by, keys: [{name, module, package, file, line, instance}], ofInstance}: `instance` is one that has the key. */
export function makeKeys(profile, by) {
  const partsOf = KEY_PARTS[by];
  const numbers = new Map();
  const keys = [];
  const ofInstance = new Uint32Array(profile.instances.length);
  profile.instances.forEach((instance, number) => {
    const key = partsOf(instance);
    const text = `${key.module}\0${key.name}\0${key.file}\0${key.line}`;
    let at = numbers.get(text);
    if (at === undefined) {
      at = keys.length;
      numbers.set(text, at);
      key.instance = number;
      key.label = key.name || "(none)";
      keys.push(key);
    }
    ofInstance[number] = at;
  });
  return { by, keys, ofInstance };
}
