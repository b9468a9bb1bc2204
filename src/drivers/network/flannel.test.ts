import { describe, expect, test } from 'vitest';
import { flannelReadyQuery, isSameNetwork } from './flannel.ts';

const result = (stdout: string, exitCode = 0) => ({
  exitCode,
  stdout: Buffer.from(stdout),
  stderr: Buffer.from(''),
});

const SUBNET = 'setting FLANNEL_NETWORK=10.1.0.0/16\nsetting FLANNEL_SUBNET=10.1.5.1/24\n';

describe('flannelReadyQuery', () => {
  test.each([
    ['flanneld runs and has a subnet', `state active\noutput x\n${SUBNET}`, ''],
    [
      'flanneld has failed',
      `state failed\noutput no etcd\u001b\n${SUBNET}`,
      'flanneld is failed; its last output: no etcd',
    ],
    ['flanneld is starting', `state activating\noutput \n${SUBNET}`, 'flanneld is activating'],
    ['the unit does not exist', `state \noutput \n`, 'flanneld is missing'],
    [
      'the subnet file does not exist',
      'state active\n',
      '/run/flannel/subnet.env has no subnet: flannel has not assigned one to the host',
    ],
    [
      'the subnet is empty',
      'state active\nsetting FLANNEL_SUBNET=\n',
      '/run/flannel/subnet.env has no subnet: flannel has not assigned one to the host',
    ],
    [
      'the network differs',
      'state active\nsetting FLANNEL_NETWORK=10.2.0.0/16\nsetting FLANNEL_SUBNET=10.2.5.1/24\n',
      'flannel placed the host in 10.2.0.0/16 instead of 10.1.0.0/16',
    ],
    [
      'the network is missing',
      'state active\nsetting FLANNEL_SUBNET=10.2.5.1/24\n',
      'flannel placed the host in no network instead of 10.1.0.0/16',
    ],
  ])('returns "$2" if %s', (_label, stdout, missing) => {
    const query = flannelReadyQuery('10.1.0.0/16', 'u.service');
    expect(query.parse(result(stdout))).toBe(missing);
  });

  test('accepts any network and no unit if none is expected', () => {
    expect(flannelReadyQuery().parse(result(SUBNET))).toBe('');
    expect(flannelReadyQuery().parse(result('setting FLANNEL_IPV6_SUBNET=fd00::1/64\n'))).toBe('');
  });

  test('returns undefined for a failed command', () => {
    expect(flannelReadyQuery().parse(result('', 127))).toBeUndefined();
  });

  test.each([
    ['10.1.0.0/16', '10.1.0.0/16', true],
    ['10.1.2.3/16', '10.1.0.0/16', true],
    ['10.1.0.0/16', '10.1.0.0/17', false],
    ['10.1.0.0/16', '10.2.0.0/16', false],
    ['fd00:0:0::/48', 'fd00::/48', true],
    ['fd00::/48', '10.1.0.0/16', false],
    ['10.1.0.0', '10.1.0.0', false],
  ])('isSameNetwork of %s and %s is %s', (a, b, isSame) => {
    expect(isSameNetwork(a, b)).toBe(isSame);
  });
});
