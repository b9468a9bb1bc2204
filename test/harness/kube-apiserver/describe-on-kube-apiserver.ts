import { existsSync } from 'node:fs';
import { describeUnless } from '../describe-unless.ts';
import { machineArchive } from '../hosts/apt-sources.ts';
import { problemWithPrograms } from '../programs/missing-programs.ts';

const NEEDED = ['etcd --version', 'openssl version', 'go version', 'apt-get --version', 'setpriv --version'];
/** The release whose Kubernetes the build was written for. */
const RELEASE = 'bookworm';
const SOURCES = ['json-iterator/go', 'modern-go/reflect2'].map(
  name => `/usr/share/gocode/src/github.com/${name}`,
);

function problemWithSources(): string | undefined {
  if (!SOURCES.every(folder => existsSync(folder)))
    return 'the Go packages that it is built with are not there';
  return machineArchive().codename === RELEASE
    ? undefined
    : `it is built from the sources of Debian ${RELEASE}`;
}

/** As `describe`; where there is no kube-apiserver and none can be built, it says so and leaves the tests out. */
export const describeOnKubeApiserver = (name: string, tests: () => void): void =>
  describeUnless(
    problemWithPrograms(NEEDED) ?? problemWithSources(),
    'no kube-apiserver can be started',
    name,
    tests,
  );
