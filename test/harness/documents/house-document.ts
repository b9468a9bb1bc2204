import { LAYERS, WEB_ROOMS } from './layers.ts';
import { code, table } from './markdown-table.ts';

export const layersTable = () =>
  table(
    ['Module', 'May import', 'Only types of'],
    Object.entries(LAYERS).map(([layer, { values, types = [], but }]) => [
      code(layer),
      [values.map(code).join(', ') || 'no other module', ...(but ? [but] : [])].join('; '),
      types.map(code).join(', '),
    ]),
  );

/** Modules that may import the same ones, and each other, are one row. */
export function roomsTable(): string {
  const groups = Map.groupBy(Object.entries(WEB_ROOMS), ([room, { values, but }]) =>
    JSON.stringify([values.length === 0 ? room : [room, ...values].toSorted(), but]),
  );
  const rows = [...groups.values()].map(same => {
    const [[, { values = [], but = '' } = {}] = []] = same;
    const names = same.map(([room]) => room);
    const others = values.filter(value => !names.includes(value));
    const cell = [
      ...(names.length > 1 ? ['each other'] : []),
      ...others.map(code),
      ...(values.length === 0 ? ['no other module'] : []),
    ];
    return [names.map(code).join(', '), [cell.join(', '), ...(but === '' ? [] : [but])].join('; ')];
  });
  return table(['Module', 'May import'], rows);
}
