import type { OperationKind } from '#vocabulary';
import { OPERATION_KINDS } from '#vocabulary';
import type { DraftErrors, PolicyDraft } from '../../policy/policy-draft.ts';
import { PolicyForm } from '../../policy/policy-form.tsx';
import { Button } from '../../ui/button.tsx';
import { DialogActions } from '../../ui/dialog.tsx';
import { TextField } from '../../ui/forms/field.tsx';
import { ProblemBox } from '../../ui/problem-box.tsx';
import styles from './start-operation.module.css';

/** What somebody has typed so far. */
export interface Typed {
  readonly kind: OperationKind;
  readonly version: string;
  readonly draft: PolicyDraft;
}

interface WishStepProps {
  readonly typed: Typed;
  readonly onType: (typed: Typed) => void;
  readonly errors: DraftErrors;
  readonly versionError: string | undefined;
  readonly problem: unknown;
  readonly isBusy: boolean;
  readonly onPreview: () => void;
  readonly onClose: () => void;
}

const KINDS: Readonly<Record<OperationKind, { readonly title: string; readonly what: string }>> = {
  restart: { title: 'Restart', what: 'Reboots each host.' },
  upgrade: {
    title: 'Upgrade',
    what: 'Upgrades packages, or the image, and reboots where that is needed.',
  },
  deploy: {
    title: 'Deploy',
    what: 'Brings a version of an image system onto each host, and reboots into it.',
  },
};

function Kinds({ kind, onChoose }: { readonly kind: OperationKind; onChoose(kind: OperationKind): void }) {
  return (
    <fieldset className={styles.kinds}>
      <legend className="heard">What is done</legend>
      {OPERATION_KINDS.map(each => (
        <label key={each} className={styles.kind}>
          <input type="radio" name="kind" checked={each === kind} onChange={() => onChoose(each)} />
          <span>
            <strong>{KINDS[each].title}</strong>
            <span>{KINDS[each].what}</span>
          </span>
        </label>
      ))}
    </fieldset>
  );
}

/** The first step: what is done, and how. */
export function WishStep(props: WishStepProps) {
  const { typed, onType, errors, versionError, problem, isBusy, onPreview, onClose } = props;
  const { kind, version, draft } = typed;
  return (
    <form
      className={styles.step}
      noValidate
      onSubmit={event => {
        event.preventDefault();
        if (!isBusy) onPreview();
      }}
    >
      <Kinds kind={kind} onChoose={chosen => onType({ ...typed, kind: chosen })} />
      {kind === 'deploy' && (
        <TextField
          label="Version"
          hint="A version, commit, tag or image reference, as the tool of the system knows it."
          value={version}
          error={versionError}
          onChange={event => onType({ ...typed, version: event.target.value })}
        />
      )}
      <details className={styles.policy} open={Object.keys(errors).length > 0 || undefined}>
        <summary>
          <strong>Policy</strong>
          <span>
            What is left empty is as the cluster has it, else the default. A preview follows; nothing begins
            yet.
          </span>
        </summary>
        <PolicyForm
          draft={draft}
          errors={errors}
          unset="as the cluster has it"
          onChange={changed => onType({ ...typed, draft: changed })}
        />
      </details>
      <ProblemBox problem={problem} />
      <DialogActions>
        <Button onClick={onClose}>Leave it</Button>
        <Button kind="primary" type="submit" isBusy={isBusy}>
          Preview
        </Button>
      </DialogActions>
    </form>
  );
}
