const inNamespace = (plural: string) => (namespace: string) =>
  `/api/v1/namespaces/${encodeURIComponent(namespace)}/${plural}`;

interface Named {
  readonly namespace: string;
  readonly name: string;
}

const namedIn =
  (plural: string) =>
  ({ namespace, name }: Named) =>
    `${inNamespace(plural)(namespace)}/${encodeURIComponent(name)}`;

export const podPath = namedIn('pods');
export const secretsPath = inNamespace('secrets');
export const secretPath = namedIn('secrets');
export const configMapPath = namedIn('configmaps');
