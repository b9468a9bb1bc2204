import { useMutation } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { api } from '../api/client.ts';
import type { FieldError } from '../ui/forms/field.tsx';
import { TextField } from '../ui/forms/field.tsx';
import { mapFieldErrors } from '../ui/forms/field-errors.ts';
import { findHostAddress, hostFilterText } from './find-host.ts';
import { useHostnames } from './use-hostnames.ts';

/**
 * A filter by host. The user enters a hostname or an address; the filter is the address. Only the last search has a
 * result, and none has one after the user left the page.
 */
export function useHostFilter(address: string | undefined) {
  const text = hostFilterText(address ?? '', useHostnames());
  const { mutateAsync } = useMutation({ mutationFn: (entered: string) => findHostAddress(api, entered) });
  const [error, setError] = useState<unknown>();
  const lastSearch = useRef(0);
  const reset = () => {
    lastSearch.current += 1;
    setError(undefined);
  };
  useEffect(
    () => () => {
      lastSearch.current += 1;
    },
    [],
  );

  const find = async (search: HostSearch) => {
    reset();
    const id = lastSearch.current;
    const entered = search.text.trim();
    try {
      const found = entered === text ? (address ?? '') : await mutateAsync(entered);
      if (id === lastSearch.current) search.onFound(found);
    } catch (failure) {
      if (id === lastSearch.current) setError(failure);
    }
  };

  const { byField, formError } = mapFieldErrors(error, ['host']);
  return { text, find, reset, fieldError: byField['host'], error: formError };
}

interface HostSearch {
  /** A hostname, an address or an empty text. */
  readonly text: string;
  readonly onFound: (address: string) => void;
}

interface HostFilterFieldProps extends FieldError {
  readonly text: string;
  readonly onLeave?: (text: string) => void;
}

export const HostFilterField = ({ text, error, onLeave }: HostFilterFieldProps) => (
  <TextField
    key={text}
    label="Host"
    name="host"
    placeholder="Any"
    defaultValue={text}
    error={error}
    onBlur={({ target }) => target.value !== text && onLeave?.(target.value)}
  />
);
