import type { Layer } from './layers.ts';
import { LAYERS } from './layers.ts';
import { code, table } from './markdown-table.ts';

function importsOf({ values, types = [], but }: Layer): string {
  const allowed = [
    values.map(code).join(', '),
    types.length > 0 ? `types of ${types.map(code).join(' and ')}` : '',
  ];
  return [allowed.filter(Boolean).join(', ') || 'no other module', ...(but ? [but] : [])].join('; ');
}

export const layersTable = () =>
  table(
    ['Module', 'Content', 'May import'],
    Object.entries(LAYERS).map(([name, layer]) => [code(name), layer.content, importsOf(layer)]),
  );
