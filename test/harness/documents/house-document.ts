import { LAYERS, WEB_ROOMS } from './layers.ts';
import { code, table } from './markdown-table.ts';

export const layersTable = () =>
  table(
    ['layer', 'may import', 'only types of'],
    Object.entries(LAYERS).map(([layer, { values, types = [], but }]) => [
      code(layer),
      [values.map(code).join(', ') || 'nothing of ours', ...(but ? [but] : [])].join('; '),
      types.map(code).join(', '),
    ]),
  );

export const roomsTable = () =>
  table(
    ['room', 'may import'],
    Object.entries(WEB_ROOMS).map(([room, { values, but }]) => [
      code(room),
      [values.map(code).join(', ') || 'no other', ...(but ? [but] : [])].join('; '),
    ]),
  );
