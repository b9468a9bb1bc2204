import { optionsConform } from '../../../../test/conformance/driver-options.ts';
import { networkConforms } from '../../../../test/conformance/network.ts';
import { networkContext } from '../../../../test/harness/driver-contexts.ts';
import { onFlannelHost } from '../../../../test/harness/shells/flannel-host.ts';
import { describeInMinimalRoot } from '../../../../test/harness/shells/minimal-root.ts';
import { none } from './none.ts';

optionsConform(none, {
  good: [['no options', {}]],
  bad: [['an address', { address: '10.0.0.1:8888' }, ['/address']]],
});

describeInMinimalRoot('none on a host', () =>
  networkConforms('none', { open: () => none.open(networkContext({})), onHost: onFlannelHost() }),
);
