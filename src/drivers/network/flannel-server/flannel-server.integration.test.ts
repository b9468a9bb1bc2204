import { expect, test } from 'vitest';
import { optionsConform } from '../../../../test/conformance/driver-options.ts';
import { networkConforms } from '../../../../test/conformance/network.ts';
import { networkContext } from '../../../../test/harness/driver-contexts.ts';
import { inFlannelRoot, onFlannelHost } from '../../../../test/harness/shells/flannel-host.ts';
import { describeInMinimalRoot } from '../../../../test/harness/shells/minimal-root.ts';
import type { Address } from '../../../domain/addresses/address.ts';
import { lastLine } from '../../../lib/sanitize.ts';
import { flannelServer } from './flannel-server.ts';

optionsConform(flannelServer, {
  good: [
    ['an address and port', { address: '10.0.0.1:8888' }],
    ['a name and port', { address: 'flannel.example.com:8888' }],
    ['IPv6', { address: '[fd00::1]:8888' }],
  ],
  bad: [
    ['no address', {}, ['/address']],
    ['an empty address', { address: '' }, ['/address']],
    ['a URL', { address: 'http://10.0.0.1:8888' }, ['/address']],
    ['a port that is not a number', { address: '10.0.0.1:flannel' }, ['/address']],
    ['an address that is not a string', { address: 8888 }, ['/address']],
    ['an unknown option', { address: '10.0.0.1:8888', port: 1 }, ['/port']],
  ],
});

const open = () => flannelServer.open(networkContext({ address: '127.0.0.9:8888' }));
const HOST = { address: '127.0.0.1' as Address, hostname: 'host' };
const HELP_WITH_REMOTE = '  -remote="": run as client';

describeInMinimalRoot('flannel_server on a host', () => {
  networkConforms('flannel_server', { open, onHost: onFlannelHost({ help: HELP_WITH_REMOTE }) });

  test.each([
    ['the option in the old format', '  -remote="": run as client', true],
    ['the option in the new format', '  -remote string\n    \trun as client', true],
    ['no such option', '  -etcd-prefix string', false],
    ['only a similar option', '  -remote-cafile string', false],
  ])('joins only if flanneld supports --remote: the help text has %s', async (_label, help, isSupported) => {
    const [command] = (await open().joinPlan(HOST))?.commands ?? [];
    inFlannelRoot({ help }, root => {
      const before = root.tree();
      const { exitCode, stderr } = root.run(command?.argv ?? ['false']);
      if (isSupported) expect(root.tree()['/fake/variables']).toContain('FLANNELD_REMOTE=127.0.0.9:8888\n');
      else {
        expect([exitCode, lastLine(stderr)]).toEqual([
          78,
          'flannel removed its client mode in 0.8.0, and the flanneld on this host does not support --remote',
        ]);
        expect(root.tree()).toEqual(before);
      }
    });
  });
});
