import { describe, expect, test } from 'vitest';
import { parseOsRelease } from './os-release.ts';

describe('os-release', () => {
  test.each([
    ['bare', 'ID=debian', 'debian'],
    ['in double quotes', 'ID="rocky"', 'rocky'],
    ['in single quotes', "ID='centos'", 'centos'],
    ['in quotes next to each other', `ID="open"'suse'-leap`, 'opensuse-leap'],
    ['escaped', 'ID="al\\"ma"', 'linux'],
    ['with a comment behind it', 'ID=arch # rolling', 'arch'],
    ['with spaces before the key', '  ID=alpine', 'alpine'],
    ['in capitals, which it may not be', 'ID=Debian', 'linux'],
    ['empty', 'ID=', 'linux'],
    ['with control characters', 'ID="de\u0007bian"', 'linux'],
    ['of a megabyte', `ID=${'a'.repeat(1_000_000)}`, 'linux'],
    ['a comment', '#ID=debian', 'linux'],
    ['the end of another key', 'VARIANT_ID=coreos', 'linux'],
  ])('an ID %s', (_what, line, id) => {
    expect(parseOsRelease([line]).id).toBe(id);
  });

  test('what comes last counts, as in a shell', () => {
    expect(parseOsRelease(['ID=a', 'ID=b']).id).toBe('b');
  });

  test('ID_LIKE is a list, the nearest first, without what is no identifier', () => {
    expect(parseOsRelease(['ID_LIKE="rhel  centos $(x) fedora"']).idLike).toEqual([
      'rhel',
      'centos',
      'fedora',
    ]);
  });

  test('ID_LIKE of a hostile host is cut', () => {
    expect(parseOsRelease([`ID_LIKE="${'a '.repeat(10_000)}"`]).idLike).toHaveLength(16);
  });

  test('the variant', () => {
    const release = parseOsRelease([
      'ID=fedora',
      'VARIANT_ID=coreos',
      'VERSION_ID=43',
      'NAME="Fedora Linux"',
    ]);
    expect(release).toEqual({ id: 'fedora', idLike: [], variantId: 'coreos' });
  });

  test('nothing is an unknown Linux', () => {
    expect(parseOsRelease([])).toEqual({ id: 'linux', idLike: [], variantId: '' });
  });
});
