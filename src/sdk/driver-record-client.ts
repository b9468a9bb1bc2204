import type { DriverRecordKind } from '../domain/vocabulary.ts';
import type { Client } from './client.ts';

/** Networks and container managers have the same methods with the same types. */
export interface DriverRecordClient {
  readonly list: Client['listNetworks'];
  readonly get: Client['getNetwork'];
  readonly put: Client['putNetwork'];
  readonly remove: Client['removeNetwork'];
  readonly check: Client['checkNetwork'];
}

export const createDriverRecordClients = (client: Client): Readonly<Record<DriverRecordKind, DriverRecordClient>> => ({
  network: {
    list: client.listNetworks,
    get: client.getNetwork,
    put: client.putNetwork,
    remove: client.removeNetwork,
    check: client.checkNetwork,
  },
  container_manager: {
    list: client.listContainerManagers,
    get: client.getContainerManager,
    put: client.putContainerManager,
    remove: client.removeContainerManager,
    check: client.checkContainerManager,
  },
});
