/** A sample answer and the sentence that it cites, in the style of the chat. */
export function LandingAnswer() {
  return (
    <figure
      aria-label="An answer with its source"
      className="grid gap-4 rounded-[22px] border border-line bg-surface p-5 shadow-high sm:p-7"
    >
      <p className="justify-self-end rounded-[16px] rounded-br-[4px] bg-accent-soft px-4 py-2 text-read">
        Which battery does my Storm 40 need?
      </p>
      <p className="text-read">
        One rechargeable cell of type <strong className="font-semibold">21700</strong>. <CitedNumber /> You can change
        it without a tool.
      </p>
      <div className="overflow-hidden rounded-medium border border-line bg-page pb-4">
        <p className="mb-3.5 flex items-center gap-2 border-b border-line bg-sunken px-3.5 py-2 text-meta text-soft">
          <span
            aria-hidden="true"
            className="grid size-[18px] place-items-center rounded-[5px] bg-text text-[0.625rem] font-semibold text-page"
          >
            H
          </span>
          lamps.example.com › Help › Battery
        </p>
        <p className="px-[18px] pb-2 font-serif text-[1.375rem] leading-snug">Changing the battery</p>
        <Lines widths={['100%', '70%']} />
        <p className="my-3 border-l-[3px] border-mark-line px-[18px] font-serif text-[1rem] leading-relaxed">
          <CitedNumber /> <mark>The Storm 40 takes one rechargeable cell of type 21700.</mark>
        </p>
        <Lines widths={['88%', '52%']} />
      </div>
    </figure>
  )
}

function CitedNumber() {
  return (
    <span className="inline-block min-w-[1.1rem] rounded-[5px] bg-(--mark) px-1 text-center font-sans text-[0.6875rem] font-semibold leading-[1.1rem] text-(--on-mark)">
      1
    </span>
  )
}

/** Placeholder for body text. */
function Lines({ widths }: { widths: string[] }) {
  return (
    <div aria-hidden="true" className="grid gap-2 px-[18px]">
      {widths.map((width) => (
        <span key={width} className="h-[7px] rounded-full bg-line" style={{ width }} />
      ))}
    </div>
  )
}
