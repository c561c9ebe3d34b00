/** Shown when a screen could not be loaded: the service's message, and the request id. */

import texts from 'messages:page';
import type { JSX } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { refusalText } from '../refusals.ts';
import { isRefusal } from '../service/api.ts';
import { Copy } from './copy.tsx';

interface FailureProps {
  readonly error: unknown;
  readonly onAgain?: () => void;
}

export function Failure({ error, onAgain }: FailureProps): JSX.Element {
  const seconds = isRefusal(error) ? error.retryAfter : undefined;
  return (
    <div class="failure" role="alert">
      <p class="what">{sentenceOf(error)}</p>
      <p class="more">
        {onAgain !== undefined && <Again after={seconds} onAgain={onAgain} />}
        {isRefusal(error) && error.requestId !== undefined && (
          <span class="request">
            {texts.failure.request} <code>{error.requestId}</code>
            <Copy text={error.requestId} label={texts.failure.copyRequest} />
          </span>
        )}
      </p>
    </div>
  );
}

export function sentenceOf(error: unknown): string {
  if (!isRefusal(error)) return texts.failure.unexpected;
  return error.type === 'connection_error' ? texts.failure.unreachable : refusalText(error);
}

/** Counts down where the service has said how long to wait. */
function Again({
  after,
  onAgain,
}: {
  readonly after: number | undefined;
  readonly onAgain: () => void;
}): JSX.Element {
  const [left, setLeft] = useState(after);
  useEffect(() => {
    if (left === undefined) return;
    if (left <= 0) {
      onAgain();
      return;
    }
    const timer = setTimeout(() => setLeft(left - 1), 1000);
    return () => clearTimeout(timer);
  }, [left, onAgain]);
  return (
    <button type="button" onClick={onAgain}>
      {left === undefined ? texts.failure.again : texts.failure.againIn(left)}
    </button>
  );
}
