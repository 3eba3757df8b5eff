/** Controls, direction marks, zero-width and private characters, lone surrogates, unassigned code points. */
export const INVISIBLE = /[\p{C}\p{Default_Ignorable_Code_Point}]/gu;
