// What every object, list, function and text has got by birth. Whatever is read must leave it as it is.

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

/** By name; of one that is computed, nothing but the name. */
export const propertiesOfAll = (): Properties =>
  new Map(
    Object.entries(PROTOTYPES).flatMap(([name, prototype]) =>
      Reflect.ownKeys(prototype).map(key => [
        `${name}.prototype.${String(key)}`,
        Reflect.getOwnPropertyDescriptor(prototype, key)?.value,
      ]),
    ),
  );

/** The names of those that have come, gone or changed since. */
export function changedSince(before: Properties): string[] {
  const now = propertiesOfAll();
  const names = new Set([...before.keys(), ...now.keys()]);
  const isSame = (name: string) => before.has(name) === now.has(name) && before.get(name) === now.get(name);
  return [...names].filter(name => !isSame(name));
}
