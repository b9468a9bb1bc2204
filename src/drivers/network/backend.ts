import Type from 'typebox';

/** flannel's `Backend`: only its type, or the whole object as flannel documents it. */
export const backend = Type.Union(
  [Type.String({ pattern: '^[a-z0-9-]{1,32}$' }), Type.Object({ Type: Type.String({ minLength: 1 }) })],
  {
    rule: 'must be a backend type such as vxlan, or an object with the field Type',
    description: 'Backend of flannel: `vxlan`, `host-gw`, …, or the whole `Backend` object.',
  },
);
