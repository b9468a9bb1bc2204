import type { Response, TestService } from '../harness/service.ts';

export const operationPaths = (service: () => TestService) => ({
  path: (cluster: string, kind: string) => `/api/v0/cluster/${cluster}/${kind}`,
  idOf: ({ headers }: Response) => headers.get('location')?.split('/').at(-1) ?? '',
  makeCluster: (name: string) => service().put(`/api/v0/cluster/${name}`, { network: 'default' }),
});
