import { ToolFailure } from '../base/failures';
import { type Entity, type EntityType, numberOf, printId } from '../entity/model/model';
import { lastGiven, type Numbers, numbersBy, numbersName } from '../entity/model/numbers';

/** Ids for new entities, each with a number that nobody has had. */
export interface NewIds {
  next(type: EntityType): string;
  /** The same, and taken even if no entity gets it. */
  claim(type: EntityType): string;
  /** The highest numbers, those given here included. */
  numbers(): Numbers;
}

export function createNewIds(parts: {
  /** The highest numbers ever given. */
  readonly given: Numbers;
  /** Why no number can be given. */
  readonly whyNoNew: ToolFailure | null;
  /** Entities that were changed or made here. */
  readonly changed: () => readonly Entity[];
}): NewIds {
  let { given } = parts;

  function numbers(): Numbers {
    const own = parts.changed();
    return numbersBy((type) =>
      Math.max(
        given[type],
        ...own
          .filter((each) => each.type === type)
          .map(numberOf)
          .filter((number) => number <= lastGiven),
      ),
    );
  }

  function next(type: EntityType): string {
    if (parts.whyNoNew) throw parts.whyNoNew;
    const number = numbers()[type] + 1;
    if (number <= lastGiven) return printId(type, number);
    throw new ToolFailure('conflict', `No number is left for a new ${type}.`, {
      hint: `Give ${printId(type, number - 1)} a smaller number or remove it, take its lines out of .interlinear/${numbersName} and vault-seen.txt where it has any, and start this server again.`,
    });
  }

  return {
    next,
    claim: (type) => {
      const id = next(type);
      given = { ...given, [type]: numbers()[type] + 1 };
      return id;
    },
    numbers,
  };
}
