// Both transports against a whole host, as a user who has sudo and an odd login shell: what holds on a plain sshd holds there too.

import type { Address } from '../../src/domain/addresses/address.ts';
import { Secret } from '../../src/domain/secret.ts';
import { transportConforms } from '../../src/drivers/transport/conformance.ts';
import { createTransports } from '../../src/drivers/transport/index.ts';
import type { Transport } from '../../src/drivers/transport/transport.ts';
import { TRANSPORT_TYPES } from '../../src/drivers/transport/transport.ts';
import { describeOnRealHosts } from '../harness/hosts/describe-on-real-hosts.ts';
import { loginKey } from '../harness/hosts/login-key.ts';
import { startLightHost } from '../harness/hosts/start-light-host.ts';
import { KEYS_ANEW, labAround } from '../harness/ssh/sshd-lab.ts';

const SHELLS = ['/usr/bin/fish', '/bin/tcsh'];

/** A host that greets on both streams whoever logs in. */
async function openHost(transport: Transport, shell: string) {
  const users = [{ name: 'core', shell, sudo: 'free', profile: 'echo Welcome\n' }] as const;
  const host = await startLightHost({ identity: 'debian', users, sshdOptions: [KEYS_ANEW] });
  const target = {
    address: host.address as Address,
    port: host.port,
    user: 'core',
    privateKey: new Secret((await loginKey()).privateKeyBase64),
    hostKeys: [],
  };
  return labAround(transport, {
    target,
    hostKey: host.hostKey,
    logins: () => host.logins(),
    cut: () => host.cut(),
    stop: () => host.stop(),
  });
}

const transports = createTransports({ openSshConfig: undefined });

describeOnRealHosts('on a real host, as a user with sudo,', () => {
  for (const type of TRANSPORT_TYPES)
    for (const shell of SHELLS)
      transportConforms(`${type} into ${shell}`, () => openHost(transports[type], shell));
});
