import { getOperationId } from '../../src/sdk/response-headers.ts';
import type { Response, TestService } from '../harness/service.ts';

export const operationPaths = (service: () => TestService) => ({
  path: (cluster: string, kind: string) => `/api/v0/cluster/${cluster}/${kind}`,
  idOf: (response: Response) => getOperationId(response),
  makeCluster: (name: string) => service().put(`/api/v0/cluster/${name}`, { network: 'default' }),
});
