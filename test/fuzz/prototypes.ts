// Detects prototype pollution: parsing must not change the built-in prototypes.

const PROTOTYPES: Readonly<Record<string, object>> = {
  Object: Object.prototype,
  Array: Array.prototype,
  Function: Function.prototype,
  String: String.prototype,
  Number: Number.prototype,
  Boolean: Boolean.prototype,
  Map: Map.prototype,
};

type Properties = ReadonlyMap<string, unknown>;

/** Values by name; `undefined` for accessors. */
export const propertiesOfAll = (): Properties =>
  new Map(
    Object.entries(PROTOTYPES).flatMap(([name, prototype]) =>
      Reflect.ownKeys(prototype).map(key => [
        `${name}.prototype.${String(key)}`,
        Reflect.getOwnPropertyDescriptor(prototype, key)?.value,
      ]),
    ),
  );

/** Names of the properties that were added, removed or changed. */
export function changedSince(before: Properties): string[] {
  const now = propertiesOfAll();
  const names = new Set([...before.keys(), ...now.keys()]);
  const isSame = (name: string) => before.has(name) === now.has(name) && before.get(name) === now.get(name);
  return [...names].filter(name => !isSame(name));
}
