import type { Response, TestService } from '../harness/service.ts';

/** What tests of operations over HTTP ask of a service. */
export const operationsOn = (service: () => TestService) => ({
  path: (cluster: string, kind: string) => `/api/v0/cluster/${cluster}/${kind}`,
  idOf: ({ headers }: Response) => headers.get('location')?.split('/').at(-1) ?? '',
  makeCluster: (name: string) => service().put(`/api/v0/cluster/${name}`, { network: 'default' }),
});
