import { setImmediate } from 'node:timers/promises';
import { describe, expect, onTestFinished, test } from 'vitest';
import { kubernetesFixture } from '../../../../test/harness/fake-kubernetes/kubernetes-fixtures.ts';
import { parseClusterInfo, readClusterInfo } from './cluster-info.ts';

const fixture = kubernetesFixture();

const kubeconfig = (server: string, caCertificates = fixture().server.ca) =>
  JSON.stringify({
    clusters: [{ cluster: { server, 'certificate-authority-data': Buffer.from(caCertificates).toString('base64') } }],
  });

describe('cluster-info', () => {
  test('returns the API server URL, the endpoint and the CA hash', async () => {
    const { server } = fixture();
    expect(await readClusterInfo(fixture().createClient())).toEqual({
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
  ])('maps the server %s to the kubeadm endpoint %s', (server, endpoint) => {
    expect(parseClusterInfo(kubeconfig(server))).toMatchObject({ serverUrl: server, endpoint });
  });

  test('supports several CA certificates', () => {
    const { ca, caHash } = fixture().server;
    expect(parseClusterInfo(kubeconfig('https://a', `${ca}\n${ca}`)).caCertHashes).toEqual([caHash, caHash]);
  });

  test.each<[label: string, text: () => string, message: RegExp]>([
    ['invalid YAML', () => '{[', /cannot parse the kubeconfig in cluster-info/],
    ['no cluster', () => 'clusters: []', /clusters/],
    ['an invalid URL', () => kubeconfig('api.example'), /must be an https URL/],
    ['an http URL', () => kubeconfig('http://api.example'), /must be an https URL/],
    ['no CA certificate', () => kubeconfig('https://a', 'none'), /contains no CA certificate/],
  ])('is rejected if it contains %s', (_label, text, message) => {
    expect(() => parseClusterInfo(text())).toThrow(message);
  });

  test('prints no warning that quotes its text', async () => {
    const warnings: Error[] = [];
    const collect = (warning: Error) => warnings.push(warning);
    process.on('warning', collect);
    onTestFinished(() => {
      process.off('warning', collect);
    });
    expect(() => parseClusterInfo('clusters: !<tag:yaml.org,2002:secret> text')).toThrow(/clusters/);
    await setImmediate();
    expect(warnings).toEqual([]);
  });
});
