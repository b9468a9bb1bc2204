import { Connections } from '../../src/clients/connections.ts';
import type { NetworkRecord } from '../../src/drivers/network/network.ts';

/** What a network driver is given, with nothing around it unless the test says so. */
export const networkRecord = (
  options: NetworkRecord['options'],
  more: Partial<NetworkRecord> = {},
): NetworkRecord => ({
  name: 'network',
  options,
  etcdEndpoints: [],
  managerType: null,
  connections: new Connections(),
  mayProceed: () => true,
  ...more,
});
