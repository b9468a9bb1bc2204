// Both transports against a real host, as a user with sudo and an unusual login shell. Each transport passes the
// complete suite with one of the shells.

import { tmpdir } from 'node:os';
import type { Address } from '../../src/domain/addresses/address.ts';
import { Secret } from '../../src/domain/secret.ts';
import { createTransports } from '../../src/drivers/transport/index.ts';
import type { Transport } from '../../src/drivers/transport/transport.ts';
import { TRANSPORT_TYPES } from '../../src/drivers/transport/transport.ts';
import { transportConforms, transportRunsCommands } from '../conformance/transport.ts';
import { describeOnRealHosts } from '../harness/real-hosts/describe-on-real-hosts.ts';
import { loginKey } from '../harness/real-hosts/host-access.ts';
import { startLightHost } from '../harness/real-hosts/light-host.ts';
import { createConformanceHost, REKEY_SETTING } from '../harness/ssh/sshd-fixtures.ts';

const SHELLS = ['/usr/bin/fish', '/bin/tcsh'];

/** A host whose login shell prints a greeting. */
async function openHost(transport: Transport, shell: string) {
  const users = [{ name: 'core', shell, sudo: 'free', profile: 'echo Welcome\n' }] as const;
  const host = await startLightHost({ identity: 'debian', users, sshdOptions: [REKEY_SETTING] });
  const target = {
    address: host.address as Address,
    port: host.port,
    user: 'core',
    privateKey: new Secret((await loginKey()).privateKeyBase64),
    hostKeys: [],
  };
  return createConformanceHost(transport, {
    target,
    hostKey: host.hostKey,
    logins: () => host.logins(),
    cut: () => host.cutConnections(),
    stop: () => host.stop(),
  });
}

const transports = createTransports({ configFile: undefined, tempFolder: tmpdir() });

describeOnRealHosts('on a real host, as a user with sudo', () => {
  for (const type of TRANSPORT_TYPES)
    for (const [index, shell] of SHELLS.entries()) {
      const testTransport = index === 0 ? transportConforms : transportRunsCommands;
      testTransport(`${type} into ${shell}`, () => openHost(transports[type], shell));
    }
});
