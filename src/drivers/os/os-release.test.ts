import { describe, expect, test } from 'vitest';
import { parseOsRelease } from './os-release.ts';

describe('parseOsRelease', () => {
  test.each([
    ['without quotes', 'ID=debian', 'debian'],
    ['in double quotes', 'ID="rocky"', 'rocky'],
    ['in single quotes', "ID='centos'", 'centos'],
    ['in adjacent quotes', `ID="open"'suse'-leap`, 'opensuse-leap'],
    ['with an escaped quote', 'ID="al\\"ma"', 'linux'],
    ['with a trailing comment', 'ID=arch # rolling', 'arch'],
    ['with spaces before the key', '  ID=alpine', 'alpine'],
    ['in uppercase, which is invalid', 'ID=Debian', 'linux'],
    ['without a value', 'ID=', 'linux'],
    ['with control characters', 'ID="de\u0007bian"', 'linux'],
    ['with a megabyte', `ID=${'a'.repeat(1_000_000)}`, 'linux'],
    ['in a comment', '#ID=debian', 'linux'],
    ['as the suffix of another key', 'VARIANT_ID=coreos', 'linux'],
  ])('parses an ID %s', (_label, line, id) => {
    expect(parseOsRelease([line]).id).toBe(id);
  });

  test('uses the last of repeated keys', () => {
    expect(parseOsRelease(['ID=a', 'ID=b']).id).toBe('b');
  });

  test('parses ID_LIKE as a list and omits invalid identifiers', () => {
    expect(parseOsRelease(['ID_LIKE="rhel  centos $(x) fedora"']).idLike).toEqual(['rhel', 'centos', 'fedora']);
  });

  test('limits the length of ID_LIKE', () => {
    expect(parseOsRelease([`ID_LIKE="${'a '.repeat(10_000)}"`]).idLike).toHaveLength(16);
  });

  test('parses VARIANT_ID', () => {
    const release = parseOsRelease(['ID=fedora', 'VARIANT_ID=coreos', 'VERSION_ID=43', 'NAME="Fedora Linux"']);
    expect(release).toEqual({ id: 'fedora', idLike: [], variantId: 'coreos', prettyName: '' });
  });

  test.each([
    ['PRETTY_NAME="Debian GNU/Linux 12 (bookworm)"', 'Debian GNU/Linux 12 (bookworm)'],
    [`PRETTY_NAME="${'a'.repeat(1000)}"`, `${'a'.repeat(99)}…`],
    ['PRETTY_NAME="evil\u001b[31m"', 'evil[31m'],
  ])('parses %j as the name %j', (line, name) => {
    expect(parseOsRelease([line]).prettyName).toBe(name);
  });

  test('returns the ID linux for an empty file', () => {
    expect(parseOsRelease([])).toEqual({ id: 'linux', idLike: [], variantId: '', prettyName: '' });
  });
});
