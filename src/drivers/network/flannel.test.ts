import { describe, expect, test } from 'vitest';
import { flannelReadyQuery, isSameNetwork } from './flannel.ts';

const result = (stdout: string, exitCode = 0) => ({
  exitCode,
  stdout: Buffer.from(stdout),
  stderr: Buffer.from(''),
});

const SUBNET = 'has FLANNEL_NETWORK=10.1.0.0/16\nhas FLANNEL_SUBNET=10.1.5.1/24\n';

describe('what proves that a host is in the network of flannel', () => {
  test.each([
    ['all is there', `state active\nsaid x\n${SUBNET}`, ''],
    [
      'flanneld has ended',
      `state failed\nsaid no etcd\u001b\n${SUBNET}`,
      'flanneld is failed; its last output: no etcd',
    ],
    ['flanneld still waits', `state activating\nsaid \n${SUBNET}`, 'flanneld is activating'],
    ['there is no unit', `state \nsaid \n`, 'flanneld is missing'],
    [
      'there is no file',
      'state active\n',
      '/run/flannel/subnet.env has no subnet: flannel has not assigned one to the host',
    ],
    [
      'the subnet is empty',
      'state active\nhas FLANNEL_SUBNET=\n',
      '/run/flannel/subnet.env has no subnet: flannel has not assigned one to the host',
    ],
    [
      'it is another network',
      'state active\nhas FLANNEL_NETWORK=10.2.0.0/16\nhas FLANNEL_SUBNET=10.2.5.1/24\n',
      'flannel placed the host in 10.2.0.0/16 instead of 10.1.0.0/16',
    ],
    [
      'the network is not told',
      'state active\nhas FLANNEL_SUBNET=10.2.5.1/24\n',
      'flannel placed the host in no network instead of 10.1.0.0/16',
    ],
  ])('%s', (_what, stdout, missing) => {
    const expectation = flannelReadyQuery({ unit: 'u.service', network: '10.1.0.0/16' });
    expect(expectation.parse(result(stdout))).toBe(missing);
  });

  test('any network and any flannel will do where nothing is said', () => {
    expect(flannelReadyQuery({}).parse(result(SUBNET))).toBe('');
    expect(flannelReadyQuery({}).parse(result('has FLANNEL_IPV6_SUBNET=fd00::1/64\n'))).toBe('');
  });

  test('what makes no sense proves nothing', () => {
    expect(flannelReadyQuery({}).parse(result('', 127))).toBeUndefined();
  });

  test.each([
    ['10.1.0.0/16', '10.1.0.0/16', true],
    ['10.1.2.3/16', '10.1.0.0/16', true],
    ['10.1.0.0/16', '10.1.0.0/17', false],
    ['10.1.0.0/16', '10.2.0.0/16', false],
    ['fd00:0:0::/48', 'fd00::/48', true],
    ['fd00::/48', '10.1.0.0/16', false],
    ['10.1.0.0', '10.1.0.0', false],
  ])('%s and %s: the same network is %s', (one, other, isSame) => {
    expect(isSameNetwork(one, other)).toBe(isSame);
  });
});
