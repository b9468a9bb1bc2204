import type { NetworkContext } from '../../src/drivers/network/network.ts';
import { ConnectionPool } from '../../src/integrations/http/connection-pool.ts';

/** What a network driver is given, with nothing around it unless the test says so. */
export const networkRecord = (
  options: NetworkContext['options'],
  more: Partial<NetworkContext> = {},
): NetworkContext => ({
  name: 'network',
  options,
  etcdEndpoints: [],
  managerType: null,
  connections: new ConnectionPool(),
  mayProceed: () => true,
  ...more,
});
