import Type from 'typebox';
import { reading } from '../reading.ts';
import type { ApiServer } from './api-server.ts';
import { configMapPath } from './paths.ts';

const readConfigMap = reading(
  'a configmap of the API',
  Type.Object({ data: Type.Optional(Type.Record(Type.String(), Type.String())) }),
);

export interface ConfigMapsApi {
  /** What is in it, by key. */
  get(namespace: string, name: string): Promise<Readonly<Record<string, string>> | undefined>;
}

export const configMapsApi = (server: ApiServer): ConfigMapsApi => ({
  async get(namespace, name) {
    const { status, body } = await server.ask({
      method: 'GET',
      path: configMapPath({ namespace, name }),
      what: `read the configmap ${name} in ${namespace}`,
      expects: [404],
    });
    return status === 404 ? undefined : (readConfigMap(body).data ?? {});
  },
});
