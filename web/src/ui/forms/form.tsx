import { useMutation } from '@tanstack/react-query';
import type { ReactNode, RefObject } from 'react';
import { useEffect, useRef, useState } from 'react';
import { ErrorBox } from '../callout.tsx';
import { FieldErrorsContext } from './field.tsx';
import { useConstraintErrors } from './field-constraints.ts';
import type { FieldResolver } from './field-errors.ts';
import { invalidForm, mapFieldErrors } from './field-errors.ts';
import styles from './form.module.css';

function useInvalidFocus(error: unknown): RefObject<HTMLFormElement | null> {
  const element = useRef<HTMLFormElement>(null);
  useEffect(() => {
    if (error) element.current?.querySelector<HTMLElement>('[aria-invalid]')?.focus();
  }, [error]);
  return element;
}

export interface FormProps {
  readonly onSubmit: (formData: FormData) => void;
  readonly isLoading: boolean;
  readonly error: unknown;
  /** Field names of the API, whose errors are shown at the fields. */
  readonly fields?: readonly string[] | FieldResolver;
  /** JSON pointer of fields that are nested in the body, such as `/options`. */
  readonly pathPrefix?: string;
  /** Errors by field name that prevent a submit, besides those of the constraints of the fields. */
  readonly clientErrors?: Readonly<Record<string, string>>;
  readonly intro?: ReactNode;
  readonly errorView?: ReactNode;
  readonly actions: ReactNode;
  readonly children: ReactNode;
}

/** Ignores a submit while one is active. */
export function Form(props: FormProps) {
  const {
    onSubmit,
    isLoading,
    error,
    fields = [],
    pathPrefix,
    clientErrors,
    intro,
    errorView,
    actions,
    children,
  } = props;
  /** Set by a submit with client errors. */
  const [invalid, setInvalid] = useState<Error>();
  const constraints = useConstraintErrors();
  const shownErrors = { ...constraints.errors, ...clientErrors };
  const isInvalid = invalid !== undefined && invalidForm(shownErrors) !== undefined;
  const element = useInvalidFocus(invalid ?? error);
  const { summary, byField, formError } = mapFieldErrors(error, fields, pathPrefix);
  return (
    <form
      ref={element}
      className={styles.form}
      noValidate
      onInput={event => constraints.revalidate(event.currentTarget)}
      onSubmit={event => {
        event.preventDefault();
        if (isLoading) return;
        const found = invalidForm({ ...constraints.validate(event.currentTarget), ...clientErrors });
        setInvalid(found);
        if (found === undefined) onSubmit(new FormData(event.currentTarget));
      }}
    >
      {intro}
      <ErrorBox error={isInvalid ? invalid : summary} />
      <FieldErrorsContext value={{ ...byField, ...(isInvalid && shownErrors) }}>{children}</FieldErrorsContext>
      {errorView || <ErrorBox error={isInvalid ? undefined : formError} />}
      {actions}
    </form>
  );
}

export function useAction<Result, Input = void>(
  action: (input: Input) => Promise<Result>,
  onDone?: (result: Result) => void,
) {
  const isRunning = useRef(false);
  const { mutate, data, isPending, error, reset } = useMutation({
    mutationFn: action,
    onSuccess: result => onDone?.(result),
    onSettled: () => {
      isRunning.current = false;
    },
  });
  /** Ignores a second click before the first render. */
  const run = (input: Input) => {
    if (isRunning.current) return;
    isRunning.current = true;
    mutate(input);
  };
  return { run, result: data, isLoading: isPending, error: error ?? undefined, reset };
}
