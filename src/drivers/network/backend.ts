import Type from 'typebox';

/** flannel's `Backend`: its type alone, or the whole object as flannel documents it. */
export const backend = Type.Union(
  [Type.String({ pattern: '^[a-z0-9-]{1,32}$' }), Type.Object({ Type: Type.String({ minLength: 1 }) })],
  {
    rule: 'must be a type of backend such as vxlan, or an object with its Type',
    description: 'How packets travel: `vxlan`, `host-gw`, …, or the whole `Backend` object of flannel.',
  },
);
