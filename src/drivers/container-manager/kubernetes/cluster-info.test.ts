import { describe, expect, test } from 'vitest';
import { kubeLab } from '../../../../test/harness/pretend-kubernetes/kube-lab.ts';
import { parseClusterInfo, readClusterInfo } from './cluster-info.ts';

const fixture = kubeLab();

const kubeconfig = (server: string, authorities = fixture().server.ca) =>
  JSON.stringify({
    clusters: [
      { cluster: { server, 'certificate-authority-data': Buffer.from(authorities).toString('base64') } },
    ],
  });

describe('what a cluster tells those who want to join', () => {
  test('is where its API is, and by which key it is known', async () => {
    const { server } = fixture();
    expect(await readClusterInfo(fixture().api())).toEqual({
      serverUrl: server.url,
      endpoint: `127.0.0.1:${server.port}`,
      caCertHashes: [server.caHash],
    });
  });

  test.each([
    ['https://api.example:6443', 'api.example:6443'],
    ['https://api.example', 'api.example:443'],
    ['https://api.example:443/', 'api.example:443'],
    ['https://[2001:db8::1]:6443', '[2001:db8::1]:6443'],
  ])('at %s is for kubeadm %s', (server, endpoint) => {
    expect(parseClusterInfo(kubeconfig(server))).toMatchObject({ serverUrl: server, endpoint });
  });

  test('may be several authorities', () => {
    const { ca, caHash } = fixture().server;
    expect(parseClusterInfo(kubeconfig('https://a', `${ca}\n${ca}`)).caCertHashes).toEqual([caHash, caHash]);
  });

  test.each<[what: string, text: () => string, why: RegExp]>([
    ['no YAML', () => '{[', /cannot parse the kubeconfig in cluster-info/],
    ['no cluster', () => 'clusters: []', /clusters/],
    ['no URL', () => kubeconfig('api.example'), /must be an https URL/],
    ['in clear', () => kubeconfig('http://api.example'), /must be an https URL/],
    ['no authority', () => kubeconfig('https://a', 'none'), /contains no CA certificate/],
  ])('is refused when it is %s', (_what, text, why) => {
    expect(() => parseClusterInfo(text())).toThrow(why);
  });
});
