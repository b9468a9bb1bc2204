import { expect, test } from 'vitest';
import { parseSources } from './apt-sources.ts';

const LINES = `# deb http://archive.test/no bookworm main
deb-src http://archive.test/source bookworm main
deb [signed-by=/key arch=arm64] http://archive.test/debian bookworm main contrib
deb http://archive.test/other stable main
deb http://archive.test/security bookworm-security main
`;

const DEB822 = `Types: deb deb-src
# a remark
URIs: http://archive.test/debian
Suites: bookworm bookworm-updates bookworm-backports
Components: main
Signed-By: /key

Enabled: no
Types: deb
URIs: http://archive.test/off
Suites: bookworm
Components: main
`;

test.each([
  ['/etc/apt/sources.list', LINES],
  ['/etc/apt/sources.list.d/debian.sources', DEB822],
])('parseSources returns the sources of one release from %s', (file, text) => {
  const found = parseSources(file, text, 'bookworm').map(({ uri, suite, components, options }) =>
    [options, uri, suite, components].filter(Boolean).join(' '),
  );
  expect(found).toEqual(
    file.endsWith('.list')
      ? [
          '[signed-by=/key arch=arm64] http://archive.test/debian bookworm main contrib',
          'http://archive.test/security bookworm-security main',
        ]
      : [
          '[signed-by=/key] http://archive.test/debian bookworm main',
          '[signed-by=/key] http://archive.test/debian bookworm-updates main',
        ],
  );
});
